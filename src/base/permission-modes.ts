// The names of the permission modes, as settings, definitions, options and policies write them.

export const permissionModes = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "delegate",
  "bypassPermissions",
] as const;
export type PermissionModeName = (typeof permissionModes)[number];
