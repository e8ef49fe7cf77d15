import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { CamelCasePlugin } from 'kysely'
import type { Kysely } from 'kysely'
import type { ENTITIES } from './entities.ts'

/** Every table with its columns, as the entities declare them and under the names of their properties. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], { columnNamingStrategy: 'property' }>

const PROPERTY_NAMES = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/**
 * Typed queries through `em`: in its transaction while it has one, on the same pool otherwise. Columns and
 * aliases are in camelCase here and in snake_case in PostgreSQL; text inside `sql` is sent as it is.
 */
export const queries = (em: EntityManager): Kysely<Tables> =>
  em.getKysely<Tables>().withPlugin(PROPERTY_NAMES)
