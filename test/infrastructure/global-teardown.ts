import { endTestServices } from './global-setup.ts'

/** Stops the services of this Jest run and waits until they have ended (Jest's globalTeardown). */
export default async function stopTestServices(): Promise<void> {
  await endTestServices()
}
