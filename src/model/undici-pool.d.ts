// The one deep import of undici: its whole index takes four times as long to load as the pool alone.
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export = Pool;
}
