// Sends one request and reads its streamed answer. It always ends with a reply or a failure,
// whatever the server, the clock or the caller does.
import { StringDecoder } from "node:string_decoder";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { createParser, type EventSourceParser } from "eventsource-parser";
import type { Dispatcher } from "undici";
import { unwatchAbort, watchAbort } from "../../base/abort-watch.ts";
import { limits } from "../../base/limits.ts";
import type { Sender } from "./connections.ts";
import {
  failureOfErrorEvent,
  failureOfResponse,
  failureOfSocket,
  looksLikeHtml,
} from "./failure.ts";
import type { ModelCall, ModelFailure, ModelResult } from "../model.ts";
import { headerOf, type ResponseHeaders } from "./retry-after.ts";

/** Reads the events of one protocol. */
export type StreamReader = {
  /** Reads the data of one event; a result ends the reading. */
  event(data: string): ModelResult | undefined;
  /** The result when the stream is over. */
  end(): ModelResult;
  partialText(): string;
};

/** Where the request goes. */
export type ExchangeRequest = {
  sender: Sender;
  origin: string;
  path: string;
  headers: Record<string, string>;
};

/** What reads its answer. */
export type Reading = {
  reader: StreamReader;
  call: ModelCall;
  idleTimeoutMs: number;
  replyTimeoutMs?: number | undefined;
  /** Masked wherever the server repeats it. */
  key?: string | undefined;
};

const errorBodyCharacters = 64 * 1024;

export function exchange(
  { sender, origin, path, headers }: ExchangeRequest,
  body: string,
  reading: Reading,
): Promise<ModelResult> {
  return new Promise((resolve) => {
    if (reading.call.signal.aborted) return resolve({ ok: false, failure: stopped });
    const conversation = new Conversation(reading, resolve);
    try {
      sender.dispatch({ origin, path, method: "POST", headers, body }, conversation);
    } catch (error) {
      conversation.onResponseError(undefined, error);
    }
  });
}

type Decompressor = ReturnType<typeof createUnzip>;

const decompressors: Readonly<Record<string, () => Decompressor>> = {
  gzip: createUnzip,
  "x-gzip": createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

const stopped: ModelFailure = { kind: "aborted", message: "stopped before the reply was complete" };

/**
 * undici's handler. It is called synchronously from the socket: no stream and no promise stands
 * between a byte and its event.
 */
class Conversation implements Dispatcher.DispatchHandler {
  readonly #reading: Reading;
  readonly #resolve: (result: ModelResult) => void;
  readonly #started = performance.now();
  /** From the first piece on that may end inside a character. */ #decoder?: StringDecoder;
  readonly #parser: EventSourceParser;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #lastByte = this.#started;
  #status = 0;
  #headers: ResponseHeaders | undefined;
  #streams = false;
  #body = "";
  #bytes = 0;
  #endsWithCr = false;
  #compressed: Decompressor | undefined;
  #settled = false;

  constructor(reading: Reading, resolve: (result: ModelResult) => void) {
    this.#reading = reading;
    this.#resolve = resolve;
    this.#parser = createParser({ onEvent: (event) => this.#onEvent(event.data) });
    this.#timer = setTimeout(() => this.#checkTime(), this.#nextCheckMs());
    watchAbort(reading.call.signal, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error("no longer wanted"));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    this.#lastByte = performance.now();
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const type = headerOf(headers, "content-type") ?? "";
    const encoding = (headerOf(headers, "content-encoding") ?? "identity").toLowerCase();
    const open = decompressors[encoding];
    if (encoding !== "identity" && !open)
      return this.#fail({
        kind: "malformed",
        status,
        message: `the answer is compressed in a way that is not known here (${encoding})`,
      });
    this.#streams = status < 300 && !/html|application\/json/i.test(type);
    if (open) this.#decompress(open());
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#lastByte = performance.now();
    if (this.#compressed) this.#compressed.write(chunk);
    else this.#take(chunk);
  }

  /** Bytes as they are meant: the cap holds for what a compressed answer becomes. */
  #take(chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.length;
    if (this.#bytes > limits.model.replyBytes)
      return this.#fail({
        kind: "malformed",
        status: this.#status,
        message: `the answer is longer than ${limits.model.replyBytes} bytes`,
      });
    if (chunk[chunk.length - 1]! >= 0x80) this.#decoder ??= new StringDecoder("utf8");
    this.#feed(this.#decoder?.write(chunk) ?? chunk.toString());
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    if (this.#compressed) this.#compressed.end();
    else this.#end();
  }

  /** Some gateways compress although nobody asked for it. */
  #decompress(stream: Decompressor): void {
    this.#compressed = stream;
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.on("end", () => this.#end());
    stream.on("error", (error) =>
      this.#cut({
        kind: "malformed",
        status: this.#status,
        message: `the compressed answer cannot be read: ${error.message}`,
      }),
    );
  }

  #end(): void {
    if (this.#settled) return;
    this.#feed(this.#decoder?.end() ?? "");
    // A line may end with CR alone; the parser waits for a possible LF.
    if (this.#endsWithCr) this.#feed("\n");
    if (!this.#settled) this.#settle(this.#atEnd());
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: unknown): void {
    clearTimeout(this.#timer);
    this.#cut(failureOfSocket(error, this.#reading.key));
  }

  #feed(decoded: string): void {
    if (decoded === "") return;
    // A stream may begin with a byte order mark, which does not belong to its first line.
    const text = this.#body === "" && decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
    if (this.#body.length < errorBodyCharacters && !(this.#streams && this.#body))
      this.#body += text.slice(0, errorBodyCharacters);
    if (!this.#streams) return;
    this.#endsWithCr = text.charCodeAt(text.length - 1) === 13;
    try {
      this.#parser.feed(text);
    } catch (error) {
      this.#fail({
        kind: "malformed",
        message: `the answer could not be read: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }

  #onEvent(data: string): void {
    if (this.#settled) return;
    const result = this.#reading.reader.event(data);
    if (result) this.#settle(result);
  }

  /** The result of a body that ended normally. */
  #atEnd(): ModelResult {
    const [status, body] = [this.#status, this.#body];
    const { reader, key } = this.#reading;
    if (status < 200 || status >= 300)
      return {
        ok: false,
        failure: failureOfResponse({
          status,
          headers: this.#headers ?? {},
          body,
          ...(key ? { key } : {}),
        }),
      };
    if (looksLikeHtml(body))
      return malformed(
        status,
        "an HTML page came instead of a reply; check the provider's base address",
      );
    if (this.#streams) return reader.end();
    try {
      const data = JSON.parse(body) as { error?: unknown };
      if (data?.error) return { ok: false, failure: failureOfErrorEvent(data, key) };
    } catch {
      return malformed(status, "the answer is neither a stream nor JSON");
    }
    return malformed(status, "a whole JSON answer came instead of the stream that was asked for");
  }

  /** The run was stopped. */
  handleEvent(): void {
    this.#fail(stopped);
  }

  #nextCheckMs(): number {
    const { idleTimeoutMs, replyTimeoutMs = limits.model.replyTimeoutMs } = this.#reading;
    return Math.max(
      1,
      Math.ceil(
        Math.min(this.#lastByte + idleTimeoutMs, this.#started + replyTimeoutMs) -
          performance.now(),
      ),
    );
  }

  #checkTime(): void {
    const { idleTimeoutMs, replyTimeoutMs = limits.model.replyTimeoutMs } = this.#reading;
    const now = performance.now();
    if (this.#settled) return this.#controller?.abort(new Error("the body did not end"));
    if (now - this.#started >= replyTimeoutMs)
      return this.#fail({
        kind: "timeout",
        message: `the reply was not complete after ${replyTimeoutMs} ms`,
      });
    if (now - this.#lastByte >= idleTimeoutMs)
      return this.#cut({ kind: "timeout", message: `no byte for ${idleTimeoutMs} ms` });
    this.#timer = setTimeout(() => this.#checkTime(), this.#nextCheckMs());
  }

  /** The stream broke off: a failure, unless everything that matters had arrived. */
  #cut(failure: ModelFailure): void {
    const result = this.#settled || !this.#streams ? undefined : this.#reading.reader.end();
    if (!result?.ok) return this.#fail(failure);
    this.#settle(result);
    this.#controller?.abort(new Error(failure.message));
  }

  #fail(failure: ModelFailure): void {
    if (this.#settled) return;
    this.#settle({ ok: false, failure });
    this.#controller?.abort(new Error(failure.message));
  }

  #settle(result: ModelResult): void {
    this.#settled = true;
    // The body may still have to end; waiting for that must not keep the process alive.
    this.#timer.unref();
    unwatchAbort(this.#reading.call.signal, this);
    const partialText = result.ok ? "" : this.#reading.reader.partialText();
    this.#resolve(
      result.ok || !partialText
        ? result
        : { ok: false, failure: { ...result.failure, partialText } },
    );
  }
}

const malformed = (status: number, message: string): ModelResult => ({
  ok: false,
  failure: { kind: "malformed", status, message },
});
