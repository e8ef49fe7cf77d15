/** How esbuild makes what browsers load: in memory, for every browser that plays protected video. */
export const BROWSER_BUILD = {
  bundle: true,
  minify: true,
  target: 'es2022',
  write: false,
  legalComments: 'none',
  logLevel: 'silent',
} as const
