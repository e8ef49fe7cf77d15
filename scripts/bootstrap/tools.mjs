// The part of the bootstrap that TypeScript code may use. Each `ensure…` function installs a program
// if it is missing, and resolves to its path.
export { buildGoProgram } from './go-program.mjs'
export {
  ensureNpmClients,
  ensureOapiCodegen,
  ensureOpenapiGenerator,
  ensurePythonClients,
  MissingProgramError,
} from './client-generators.mjs'
export { installOnce } from './install-once.mjs'
export { ensurePatternChecker } from './pattern-checker.mjs'
export {
  bundlesDir,
  cacheDir,
  inheritedEnvironment,
  passTestServices,
  pinnedNode,
  projectDir,
  testServicesUrl,
} from './environment.mjs'
export {
  ensureChromium,
  ensureDebootstrap,
  ensureDockerEngine,
  ensureFfmpeg,
  ensureHeadlessChromium,
  ensureCaddy,
  ensureNginx,
  ensurePgbouncer,
} from './system-packages.mjs'
export { ensureTemporalServer } from './temporal-server.mjs'
export {
  ensureKubeconform,
  ensurePrometheus,
  ensurePromtool,
  ensureS3Server,
  ensureSchemathesis,
} from './test-programs.mjs'
export { ensureTimeSkippingServer } from './time-skipping-server.mjs'
