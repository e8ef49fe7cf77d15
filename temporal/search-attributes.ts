import { defineSearchAttributeKey } from '@temporalio/common'

/** What operators search workflows by, in the Web UI and the CLI. */
export const ACCOUNT_ID = defineSearchAttributeKey('AccountId', 'INT')
export const VIDEO_ID = defineSearchAttributeKey('VideoId', 'KEYWORD')
export const VIDEO_STATUS = defineSearchAttributeKey('VideoStatus', 'KEYWORD')

export const SEARCH_ATTRIBUTES = [ACCOUNT_ID, VIDEO_ID, VIDEO_STATUS]
