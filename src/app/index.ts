export { RetinueError, type ErrorCode } from "../base/errors.ts";
