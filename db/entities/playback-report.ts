import { defineEntity, p } from '@mikro-orm/core'
import type { PlaybackCause } from '../../domain/playback-reports/playback-causes.ts'

/** Few known facts, with bounds; no secrets, no tokens. */
export type ReportDetails = Readonly<Record<string, string | number | boolean | undefined>>

export const PlaybackReportSchema = defineEntity({
  name: 'PlaybackReport',
  tableName: 'playback_report',
  properties: {
    /** As people read it out, with its dashes. */
    code: p.text().primary(),
    accountId: p.integer().primary(),
    cause: p.text().$type<PlaybackCause>(),
    /** A video of the account, which may be deleted; null if none is known. */
    videoId: p.text().strictNullable(),
    /** Verified; null without a valid viewer token. */
    viewerId: p.text().strictNullable(),
    host: p.text().strictNullable(),
    /** Words of `domain/playback-reports/device-words.ts`. */
    browser: p.text().strictNullable(),
    system: p.text().strictNullable(),
    details: p.json<ReportDetails>().defaultRaw(`'{}'`),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class PlaybackReport extends PlaybackReportSchema.class {}
PlaybackReportSchema.setClass(PlaybackReport)
