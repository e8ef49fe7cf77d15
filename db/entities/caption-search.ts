import { defineEntity, p } from '@mikro-orm/core'

/** The start and the end of a cue in milliseconds, and its text. */
export type StoredCue = [startMs: number, endMs: number, text: string]

/** About a minute of a caption, in which words are sought (ADR 0073). */
export const CaptionPassageSchema = defineEntity({
  name: 'CaptionPassage',
  tableName: 'caption_passage',
  properties: {
    videoId: p.text().primary(),
    languageCode: p.text().primary(),
    /** From 0, in the order of the caption. */
    number: p.integer().primary(),
    accountId: p.integer(),
    /** The primary language, such as `pt` of `pt-BR`. */
    language: p.text(),
    cues: p.json<StoredCue[]>(),
    /** A `tsvector`: the words, and lexemes for the account with the language and for samples. */
    words: p.text(),
  },
})

/** That a caption was written or deleted, until its passages follow. Triggers write it. */
export const CaptionChangeSchema = defineEntity({
  name: 'CaptionChange',
  tableName: 'caption_change',
  properties: {
    accountId: p.integer().primary(),
    id: p.bigint('string').primary(),
    videoId: p.text(),
    languageCode: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})
