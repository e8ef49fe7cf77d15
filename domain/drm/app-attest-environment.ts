/** The environments of Apple's App Attest; `development` is that of apps that Xcode has installed. */
export const APP_ATTEST_ENVIRONMENTS = ['production', 'development'] as const

export type AppAttestEnvironment = (typeof APP_ATTEST_ENVIRONMENTS)[number]
