/** Returns the http address of a port on a host; an IPv6 address gets its brackets. */
export const httpAddress = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
