// What TypeScript code may use of the bootstrap: each makes sure that a program is there and
// resolves to its path, at once when it is.
export {
  inheritedEnvironment,
  pinnedNode,
  projectDir,
  setTestServicesUrl,
  testServicesUrl,
} from './environment.mjs'
export { ensureS3Server } from './s3-server.mjs'
export { ensureSchemathesis } from './schemathesis.mjs'
export { ensureChromium, ensureFfmpeg, ensureNginx } from './system-packages.mjs'
export { ensureTemporalServer } from './temporal-server.mjs'
export { ensureTimeSkippingServer } from './time-skipping-server.mjs'
