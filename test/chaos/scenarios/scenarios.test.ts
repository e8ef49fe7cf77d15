import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import { itOfAll } from '../../infrastructure/every-case.ts'
import { canMake, runScenario, SCENARIOS } from './scenarios.ts'

const NOTHING = { lost: [], stuck: [], orphans: [], leaked: [] }

itOfAll.each(SCENARIOS.filter(canMake))(
  '$title loses, blocks, leaves and reveals nothing',
  async (scenario) => {
    expect(await runScenario(scenario, randomInt(2 ** 31))).toEqual(NOTHING)
  },
  900_000,
)
