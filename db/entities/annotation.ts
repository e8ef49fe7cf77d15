import { defineEntity, p } from '@mikro-orm/core'

export const CaptionSchema = defineEntity({
  name: 'Caption',
  tableName: 'caption',
  properties: {
    videoId: p.text().primary(),
    /** BCP 47 in its canonical case, such as `pt-BR`. */
    languageCode: p.text().primary(),
    label: p.text(),
    /** The WebVTT text as it was sent. Lazy, because lists do not need it. */
    content: p.text().lazy(),
    sizeBytes: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

export class Caption extends CaptionSchema.class {}
CaptionSchema.setClass(Caption)

export const ChapterSchema = defineEntity({
  name: 'Chapter',
  tableName: 'chapter',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    videoId: p.text(),
    title: p.text(),
    startSeconds: p.integer(),
    /** The first second after the chapter. */
    endSeconds: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

export class Chapter extends ChapterSchema.class {}
ChapterSchema.setClass(Chapter)

export const MomentSchema = defineEntity({
  name: 'Moment',
  tableName: 'moment',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    videoId: p.text(),
    label: p.text(),
    timestampSeconds: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class Moment extends MomentSchema.class {}
MomentSchema.setClass(Moment)
