/**
 * Returns the address of a package's archive as package-lock.json has it: on a host that does not exist. `.npmrc` lets
 * npm replace it by the host and path of the registry that the machine has configured, so that the repository names none.
 */
export function archiveOf(place, { name, version }) {
  const packageName =
    name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const fileName = packageName.slice(packageName.lastIndexOf('/') + 1)
  return `https://${LOCKED_HOST}/${packageName}/-/${fileName}-${version}.tgz`
}

/** RFC 2606 reserves `.invalid`, so the name never leads to a server. */
export const LOCKED_HOST = 'registry.invalid'
