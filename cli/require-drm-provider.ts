import type { Protection } from '../domain/plan.ts'
import type { Context } from './context.ts'
import { CliError } from './errors.ts'

/** Throws a CliError where a plan of this kind could protect no video of this installation. */
export function requireDrmProvider({ hasDrmProvider }: Context, protection?: Protection): void {
  if (protection === 'multi-drm' && !hasDrmProvider)
    throw new CliError(
      'Multi-DRM plans need a DRM provider (drm_provider_not_configured): set DRM_SPEKE_URL for ' +
        'the api, the worker and this command, and start them again.',
    )
}
