import { releaseServices } from './running.ts'

/** Stops the services of this Jest run and waits until they are gone (Jest's globalTeardown). */
export default async function stopTestServices(): Promise<void> {
  await releaseServices()
}
