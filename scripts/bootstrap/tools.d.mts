/** A compiler or interpreter is missing that the project does not install. */
export class MissingProgramError extends Error {}
export const projectDir: string
export const bundlesDir: string
/** The folder of built and downloaded programs. */
export function cacheDir(): string
export const pinnedNode: string
export function inheritedEnvironment(): Record<string, string | undefined>
export function testServicesUrl(): string | undefined
export function passTestServices(services: { url: string; prebuiltDir: string }): void
export function ensureFfmpeg(): Promise<void>
export function ensureChromium(): Promise<string>
export function ensureHeadlessChromium(): Promise<string>
export function ensureCaddy(): Promise<string>
export function ensureNginx(): Promise<string>
export function ensurePgbouncer(): Promise<string>
export function ensureKubeconform(): Promise<string>
export function ensurePrometheus(): Promise<string>
export function ensurePromtool(): Promise<string>
export function ensureS3Server(): Promise<string>
export function ensureOapiCodegen(): Promise<string>
export function ensurePatternChecker(): Promise<string>
export function ensurePythonClients(): Promise<string>
export function ensureOpenapiGenerator(): Promise<{ jar: string; clientJars: string }>
export function ensureNpmClients(): Promise<string>
export function ensureSchemathesis(): Promise<string[]>
export function ensureTemporalServer(): Promise<string>
export function ensureTimeSkippingServer(): Promise<string>
export function ensureDebootstrap(): Promise<string>
export function ensureDockerEngine(): Promise<string>
export function buildGoProgram(options: {
  moduleDir: string
  packagePath: string
  output: string
  linkerFlags?: string
}): Promise<void>
export function installOnce(
  name: string,
  title: string,
  build: (into: string) => Promise<void>,
): Promise<string>
