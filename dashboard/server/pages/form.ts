import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { escapeHtml } from '../../../domain/html.ts'
import { networkOwnersOf } from '../../../processes/bodies/network-owners.ts'
import type { Bodies } from '../../../processes/bodies/read-body.ts'

const BODY_MAX_BYTES = 16 * 1024

/** Parses the body of a form that a page posts. A body of another type has no fields. */
export const formBody =
  (bodies: Bodies): RequestHandler =>
  async (request: Request, response: Response, next: NextFunction) => {
    const owners = networkOwnersOf(request)
    const bytes = await bodies.read(request, response, { maxBytes: BODY_MAX_BYTES, owners })
    if (request.is('application/x-www-form-urlencoded') !== false)
      request.body = new URLSearchParams(bytes?.toString() ?? '')
    next()
  }

/** The text of a field of a posted form; empty if the field is missing, repeated or not storable. */
export function fieldOf(request: Request, name: string): string {
  const body: unknown = request.body
  const [value = '', ...others] = body instanceof URLSearchParams ? body.getAll(name) : []
  return others.length === 0 && value.isWellFormed() && !value.includes('\0') ? value : ''
}

interface Field {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  value?: string
  hint?: string
  /** What is wrong with the value. */
  problem?: string | undefined
  minLength?: number
  maxLength: number
  isFocused?: boolean
}

/** A labelled field. Its problem is announced with it. */
export function fieldHtml(field: Field): string {
  const { name, label, type, autocomplete, value = '', hint, problem } = field
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean)
  const attributes = [
    // Not of the type `email`: Chromium turns its host into punycode, and refuses internationalized names before the @.
    `id="${name}" name="${name}" type="${type === 'email' ? 'text' : type}" autocomplete="${autocomplete}" required`,
    type === 'email' && 'inputmode="email" autocapitalize="none" spellcheck="false"',
    `maxlength="${field.maxLength}"`,
    // An address and a password are left-to-right in every language.
    type === 'text' ? 'dir="auto"' : 'dir="ltr"',
    value !== '' && `value="${escapeHtml(value)}"`,
    field.minLength !== undefined && `minlength="${field.minLength}"`,
    described.length > 0 && `aria-describedby="${described.join(' ')}"`,
    problem !== undefined && 'aria-invalid="true"',
    field.isFocused === true && 'autofocus',
  ].filter((attribute) => attribute !== false)
  const hintHtml =
    hint === undefined ? '' : `<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>\n`
  const problemHtml =
    problem === undefined
      ? ''
      : `<p class="problem" id="${name}-problem">${escapeHtml(problem)}</p>\n`
  return `<div class="field">
<label for="${name}">${escapeHtml(label)}</label>
<input ${attributes.join(' ')}>
${hintHtml}${problemHtml}</div>
`
}

export const hiddenHtml = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">\n`

export const alertHtml = (text: string | undefined): string =>
  text === undefined ? '' : `<p class="alert" role="alert">${escapeHtml(text)}</p>\n`

/** A form with one button and without fields. */
export const buttonForm = (action: string, label: string, content = ''): string =>
  `<form method="post" action="${action}">\n${content}<button class="second">${escapeHtml(label)}</button>\n</form>\n`
