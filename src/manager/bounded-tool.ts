// Tools and models of the library's user may hang and may ignore a stop: the run does neither.
import { errorText } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import type { Model } from "../model/model.ts";
import { errorResult, type Tool } from "../tool/tool.ts";
import { unlessStopped } from "./unless-stopped.ts";

/** The tool with a deadline; a stop is answered at once, whether the tool heeds its signal or not. */
export function boundedTool(tool: Tool, timeoutMs: number = limits.task.toolMs): Tool {
  return {
    ...tool,
    // A getter on the original stays lazy.
    get inputSchema() {
      return tool.inputSchema;
    },
    async execute(input, context) {
      const deadline = new AbortController();
      const follow = (): void => deadline.abort(context.signal.reason);
      if (context.signal.aborted) follow();
      context.signal.addEventListener("abort", follow, { once: true });
      const timer = setTimeout(() => deadline.abort("deadline"), timeoutMs);
      try {
        return await unlessStopped(deadline.signal, tool.execute(input, { ...context, signal: deadline.signal }));
      } catch (error) {
        if (context.signal.aborted) return errorResult("interrupted: the run was stopped while the tool ran");
        return errorResult(deadline.signal.aborted ? `${tool.name} did not answer within ${timeoutMs / 1000} s` : `${tool.name} failed: ${errorText(error)}`);
      } finally {
        clearTimeout(timer);
        context.signal.removeEventListener("abort", follow);
      }
    },
  };
}

/** The model with a stop that always works; its failures become values. */
export function boundedModel(model: Model): Model {
  return {
    ...model,
    async send(request, call) {
      try {
        return await unlessStopped(call.signal, model.send(request, call));
      } catch (error) {
        return { ok: false, failure: call.signal.aborted ? { kind: "aborted", message: "aborted" } : { kind: "invalid_request", message: `the model failed: ${errorText(error)}` } };
      }
    },
  };
}
