import { Router } from 'express'
import { notFound } from './media/send-object.ts'
import { PlayerError } from './player-error.ts'

/**
 * Refuses, with JSON, the requests of scripts that none of `routers` handles: 405 for a path of theirs with another
 * method, otherwise 404.
 */
export function unknownScriptPaths(routers: readonly Router[]): Router {
  const router = Router()
  for (const [path, methods] of methodsOf(routers))
    router.all(path, (request, response, next) => {
      if (methods.has(request.method)) return next()
      response.set('Allow', [...methods].join(', '))
      throw new PlayerError(405, 'method_not_allowed', 'This address has no such method.')
    })
  router.use(() => {
    throw notFound()
  })
  return router
}

/** Returns the methods of each path. A path with GET has HEAD too, as Express has it. */
function methodsOf(routers: readonly Router[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { route } of routers.flatMap(({ stack }) => stack)) {
    if (!route) continue
    const methods = route.stack.map(({ method }) => method.toUpperCase())
    if (methods.includes('GET')) methods.push('HEAD')
    found.set(route.path, new Set([...(found.get(route.path) ?? []), ...methods]))
  }
  return found
}
