import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'

const serviceSchema = z.looseObject({
  image: z.string(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).optional(),
  pids_limit: z.number().optional(),
  mem_limit: z.string().optional(),
  network_mode: z.string().optional(),
  networks: z.array(z.string()).default([]),
  logging: z.object({ options: z.record(z.string(), z.string()) }).optional(),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  environment: z.record(z.string(), z.unknown()).default({}),
  env_file: z.array(z.looseObject({ path: z.string() })).default([]),
  deploy: z.object({ replicas: z.string() }).optional(),
  secrets: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
})

const fileSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() }).nullable()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
})

/** Returns docker-compose.yml, with its anchors and merged keys resolved and its variables as they are. */
export const readComposeFile = (): z.infer<typeof fileSchema> =>
  fileSchema.parse(
    parse(readFileSync(join(projectDir, 'docker-compose.yml'), 'utf8'), {
      merge: true,
      // It is our own file.
      maxAliasCount: -1,
    }),
  )

/** Returns the services of docker-compose.yml by name. */
export const composeServices = (): z.infer<typeof fileSchema>['services'] =>
  readComposeFile().services

/** Whether a service is a process of ours, and not a published image of others. */
export const isOurs = ({ image }: { image: string }): boolean =>
  image.startsWith('${REELGATE_IMAGE:-')
