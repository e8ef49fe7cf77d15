/**
 * Where the content keys of a Multi-DRM video come from. `provider`: the DRM provider's key server makes and
 * keeps them (SPEKE). `own`: they are made here, and each licence request hands them to the provider.
 */
export const KEY_MODELS = ['provider', 'own'] as const

export type KeyModel = (typeof KEY_MODELS)[number]
