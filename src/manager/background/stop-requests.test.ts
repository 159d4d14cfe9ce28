import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tempProject, type TempProject } from "../../testing/temp-project.ts";
import { requestStop, stopFolder, watchStopRequests } from "./stop-requests.ts";

const ours = "a0123456789abcdef";
const theirs = "afedcba9876543210";
let project: TempProject;
let folder: string;
let unwatch: () => void;
const heard: string[] = [];
beforeEach(() => {
  project = tempProject();
  folder = stopFolder(project.home);
  heard.length = 0;
});
afterEach(() => {
  unwatch();
  project.remove();
});

const watching = (): void => {
  unwatch = watchStopRequests(folder, (id) => {
    heard.push(id);
    return id === ours;
  });
};

async function until(isTrue: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !isTrue(); round++) await sleep(10);
  expect(isTrue()).toBe(true);
}

test("a request reaches whoever runs the agent, and being gone says that it was seen", async () => {
  watching();
  const request = requestStop(folder, ours);
  await until(() => request.isTaken());
  expect(heard).toEqual([ours]);
});

test("a request for somebody else stays until it is taken back", async () => {
  watching();
  const request = requestStop(folder, theirs);
  await until(() => heard.includes(theirs));
  expect(request.isTaken()).toBe(false);
  request.withdraw();
  expect(readdirSync(folder)).toEqual([]);
});

test("what an earlier stop left behind stops nothing, and a new request for the same agent still counts", async () => {
  requestStop(folder, ours);
  watching();
  await sleep(100);
  expect(heard).toEqual([]);
  const request = requestStop(folder, ours);
  await until(() => request.isTaken());
  expect(heard).toEqual([ours]);
});

test("a file with any other name is nobody's request", async () => {
  watching();
  for (const name of ["x", "..stop", `${ours}0.x`, "A0123456789ABCDEF.y"])
    writeFileSync(join(folder, name), "");
  const request = requestStop(folder, ours);
  await until(() => request.isTaken());
  expect(heard).toEqual([ours]);
});

test("where the folder cannot be made nobody can ask, and nothing breaks", async () => {
  project.write("file", "");
  unwatch = watchStopRequests(join(project.root, "file", "stop"), () => true);
  await sleep(300);
  expect(project.read("file")).toBe("");
});
