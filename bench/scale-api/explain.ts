import type { Client } from 'pg'
import { z } from 'zod'
import { openDatabase, type Database } from '../../db/database.ts'

interface PlanNode {
  type: string
  relation: string | undefined
  index: string | undefined
  heapFetches: number
  /** In all its loops. */
  rows: number
  blocks: number
  children: PlanNode[]
}

/** A node as PostgreSQL writes it, with numbers of all its loops. */
const nodeSchema: z.ZodType<PlanNode> = z.lazy(() =>
  z
    .object({
      'Node Type': z.string(),
      'Relation Name': z.string().optional(),
      'Index Name': z.string().optional(),
      'Heap Fetches': z.number().default(0),
      'Actual Rows': z.number().default(0),
      'Actual Loops': z.number().default(0),
      'Shared Hit Blocks': z.number().default(0),
      'Shared Read Blocks': z.number().default(0),
      Plans: z.array(nodeSchema).default([]),
    })
    .transform((node) => ({
      type: node['Node Type'],
      relation: node['Relation Name'],
      index: node['Index Name'],
      heapFetches: node['Heap Fetches'],
      rows: node['Actual Rows'] * node['Actual Loops'],
      blocks: node['Shared Hit Blocks'] + node['Shared Read Blocks'],
      children: node.Plans,
    })),
)
const planSchema = z.object({ Plan: nodeSchema })

/** The tables that grow with an installation, and their partitions. */
const LARGE =
  /^(?:video|video_term|rendition|event|webhook_delivery|webhook_attempt|playback_record)(?:_|$)/

export const isLarge = (table: string): boolean => LARGE.test(table)

/** What the statements of an operation have read. */
export interface Reading {
  /** Blocks of 8 KiB, from the cache of PostgreSQL or from disk. */
  blocks: number
  /** Tables that were read from their beginning, for more than a few blocks. */
  scanned: string[]
  /** Indexes that were read alone, without the rows. */
  aloneIndexes: string[]
  /** All indexes that were read. */
  indexes: string[]
  /** The most rows that were sorted at once. */
  sortedRows: number
}

export interface ExplainedDatabase {
  db: Database
  /** Returns what the statements of `work` read, as PostgreSQL's module `auto_explain` reports. */
  explain(work: () => Promise<unknown>): Promise<Reading>
  close(): Promise<void>
}

const SETTINGS = {
  client_min_messages: 'log',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
}

/**
 * Opens a database, as its superuser, on one connection that explains each statement that it runs. The connection also
 * gets `settings`.
 */
export async function openExplained(
  url: string,
  settings: Record<string, string> = {},
): Promise<ExplainedDatabase> {
  const db = await openDatabase({ url, poolSize: 1 })
  const plans: PlanNode[] = []
  const pool = await db.driver.getConnection().getNativeClient()
  const read = ({ message = '' }: { message?: string | undefined }): void => {
    const [, json] = /^duration: .*?plan:\n(.*)$/s.exec(message) ?? []
    if (json) plans.push(planSchema.parse(JSON.parse(json)).Plan)
  }
  // At each use, because a connection may be older than this listener.
  pool.on('acquire', (client: Client) => void client.off('notice', read).on('notice', read))
  return {
    db,
    async explain(work) {
      // Each time, because the pool may have opened another connection.
      await pool.query(`load 'auto_explain'`)
      for (const [name, value] of Object.entries({ ...SETTINGS, ...settings }))
        await pool.query(`set ${name} = '${value}'`)
      plans.length = 0
      await work()
      if (plans.length === 0) throw new Error('PostgreSQL has explained nothing')
      return readingOf(plans)
    },
    close: () => db.close(true),
  }
}

/** A search for any row of an account ends at the first one. */
const FEW_BLOCKS = 100

function readingOf(plans: PlanNode[]): Reading {
  const nodes = plans.flatMap(withChildren)
  const ofType = (type: string) => nodes.filter((node) => node.type === type)
  return {
    blocks: plans.reduce((sum, { blocks }) => sum + blocks, 0),
    scanned: ofType('Seq Scan').flatMap(({ relation, blocks }) =>
      relation && blocks > FEW_BLOCKS ? relation : [],
    ),
    aloneIndexes: ofType('Index Only Scan').flatMap(({ index, heapFetches }) =>
      index && heapFetches === 0 ? index : [],
    ),
    indexes: [...new Set(nodes.flatMap(({ index }) => index ?? []))],
    sortedRows: Math.max(0, ...nodes.filter(isSort).flatMap((node) => node.children.map(rowsOf))),
  }
}

const isSort = ({ type }: PlanNode): boolean => type === 'Sort' || type === 'Incremental Sort'
const rowsOf = ({ rows }: PlanNode): number => rows

const withChildren = (node: PlanNode): PlanNode[] => [node, ...node.children.flatMap(withChildren)]
