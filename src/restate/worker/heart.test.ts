import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { startHeart } from "./heart.ts";

test("a busy main thread keeps nobody from hearing that the process lives", async () => {
  const heart = await startHeart({ host: "127.0.0.1", port: 0 });
  try {
    const url = `http://127.0.0.1:${heart.port}/`;
    expect(await (await fetch(url)).text()).toBe("alive");
    // Asked by another process, while this one does nothing but wait for it.
    const program = `fetch(${JSON.stringify(url)}).then(({ status }) => console.log(status))`;
    const { stdout } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
    expect(stdout.trim()).toBe("200");
  } finally {
    await heart.close();
  }
});

test("an address that is taken is told in words", async () => {
  const heart = await startHeart({ host: "127.0.0.1", port: 0 });
  const again = startHeart({ host: "127.0.0.1", port: heart.port });
  await expect(again).rejects.toThrow("cannot be listened on");
  await heart.close();
});
