// The version, from package.json; the build puts it in as text.
declare const RETINUE_VERSION: string;

export const version: string = typeof RETINUE_VERSION === "string" ? RETINUE_VERSION : "0.0.0-dev";
