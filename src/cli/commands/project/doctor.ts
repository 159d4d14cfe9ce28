// `retinue doctor`: what is needed here, whether it is there, and what to do where it is not.
import { diagnose } from "../../../app/project/diagnose.ts";
import { printable } from "../../../base/text/printable.ts";
import { createCommand, type CommandModule } from "../../command.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("doctor", io)
    .description("check this machine and this project, and say what to fix")
    .option("--json", "print JSON: [{check, ok, detail, fix}]")
    .action(async (flags: { json?: boolean }) => {
      const checks = await diagnose({ cwd: io.cwd, env: io.env });
      if (flags.json) io.out(JSON.stringify(checks, null, 2));
      else {
        const margin = `\n  ${" ".repeat(15)} `;
        for (const { check, ok, detail, fix } of checks) {
          const mark = ok ? io.paint("green", "✓") : io.paint("red", "✗");
          const advice = fix ? `${margin}${io.paint("yellow", "→")} ${printable(fix)}` : "";
          const shown = printable(detail).replaceAll("\n", margin);
          io.out(`${mark} ${check.padEnd(15)} ${shown}${advice}`);
        }
      }
      finish(checks.every(({ ok }) => ok) ? 0 : 1);
    });
