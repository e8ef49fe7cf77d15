import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { addVideos, type Scenario } from './scenario.ts'

/** Only the namespace of the scenario has it. */
const ADDRESS = '10.99.0.2'
const ACCOUNTS = 4
const VIDEOS_PER_ACCOUNT = 5
const AWAY_MS = 60_000
/** So slow that no download ends before the network is gone. */
const SLOW = '/files/slow/lesson.mp4'

const setAddress = (action: 'add' | 'delete') =>
  execa('ip', ['address', action, `${ADDRESS}/32`, 'dev', 'lo'])

/** Prepares the new namespace, in which nothing has an address yet. */
export async function openOwnNetwork(): Promise<void> {
  await execa('ip', ['link', 'set', 'lo', 'up'])
  await setAddress('add')
}

/** The resolver is silent, and the route to the sources is gone, for a minute, while twenty downloads run. */
export const networkAway: Scenario = {
  name: 'network-away',
  title: 'resolver silent and route gone for 60 s during 20 downloads',
  needsRoot: true,
  needsNetwork: true,
  options: { accounts: ACCOUNTS, address: ADDRESS },
  async run(record, tell) {
    const { integrator } = record.world
    await addVideos(record, SLOW, VIDEOS_PER_ACCOUNT)
    const count = ACCOUNTS * VIDEOS_PER_ACCOUNT
    await waitFor('the downloads', async () => integrator.slowDownloads() === count, 120_000)
    integrator.silenceDns(true)
    await setAddress('delete')
    tell(`the network is away; ${count} downloads run`)
    await sleep(AWAY_MS)
    await setAddress('add')
    integrator.silenceDns(false)
    integrator.hurry()
    tell('the network is back')
  },
}
