// Files that builds, installers and generators write.

export const isBuilt = (path: string): boolean =>
  /(?:^|\/)(?:dist|build|out|target|coverage|generated|gen|vendor|node_modules|public|bin|obj)\//i.test(
    path,
  ) ||
  /\.lock$|lock\.(?:json|ya?ml)$|\.(?:snap|min\.js|map|sum|resolved)$|_pb2?\.|\.g(?:en(?:erated)?)?\.\w+$/i.test(
    path,
  ) ||
  /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum|CHANGELOG[^/]*)$/i.test(path);
