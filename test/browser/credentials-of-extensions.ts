import type { Page } from 'playwright-core'

/**
 * Replaces `navigator.credentials` of a page as extensions that keep passwords do: by one whose results have no methods,
 * by one that gives no result, or by none at all.
 */
export const replaceCredentials = (
  page: Page,
  by: 'plain objects' | 'no result' | 'nothing',
): Promise<void> =>
  page.evaluate(`(() => {
    const { credentials } = navigator
    const plain = ({ id, rawId, type, response }) => ({
      id, rawId, type,
      response: Object.fromEntries(
        ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
          .map((name) => [name, response[name]]),
      ),
    })
    const made = {
      'plain objects': {
        create: async (options) => plain(await credentials.create(options)),
        get: async (options) => plain(await credentials.get(options)),
      },
      'no result': { create: async () => undefined, get: async () => undefined },
      nothing: undefined,
    }
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: made['${by}'] })
  })()`)
