/**
 * Where the content keys of a Multi-DRM video come from. `provider`: the DRM provider's key server makes and
 * keeps them (SPEKE). `own`: they are made here, and each licence request hands them to the provider.
 */
export type KeyModel = 'provider' | 'own'
