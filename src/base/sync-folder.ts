// Makes the names in a folder durable, what was created, renamed or removed there, without holding up the process.
import { open } from "node:fs/promises";

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
