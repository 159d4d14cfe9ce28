import { expect, test } from "vitest";
import { scrubEnvironment } from "./scrub-environment.ts";

test("keeps what programs need and drops everything that could be a key", () => {
  const kept = scrubEnvironment({
    PATH: "/bin::.:node_modules/.bin:/usr/bin",
    HOME: "/h",
    LC_ALL: "C",
    HTTPS_PROXY: "http://proxy:3128",
    http_proxy: "http://u:p@proxy:3128",
    ANTHROPIC_API_KEY: "k",
    GITHUB_TOKEN: "t",
    AWS_SECRET_ACCESS_KEY: "s",
    BASH_ENV: "/x",
    LD_PRELOAD: "/x",
    NODE_OPTIONS: "--require x",
    LC_x: "1",
    "BASH_FUNC_ls%%": "() { :; }",
    MY_SETTING: "1",
  });
  expect(kept).toEqual({
    PATH: "/bin:/usr/bin",
    HOME: "/h",
    LC_ALL: "C",
    HTTPS_PROXY: "http://proxy:3128",
  });
});
