import { describe, expect, it } from 'vitest'
import { readOptions } from './embed-options.ts'

const none = {
  autoplay: false,
  muted: false,
  loop: false,
  startSeconds: null,
  captions: null,
  together: false,
  skip: false,
}

describe('the query of the embed address', () => {
  it.each([
    ['', {}],
    ['?vt=a.b', {}],
    ['?autoplay=1&muted=1&loop=1', { autoplay: true, muted: true, loop: true }],
    ['?autoplay=true', { autoplay: true }],
    ['?autoplay', { autoplay: true }],
    ['?autoplay=0&muted=no', {}],
    ['?start=90.5', { startSeconds: 90.5 }],
    ['?start=0', { startSeconds: 0 }],
    ['?start=-1', {}],
    ['?start=soon', {}],
    ['?start=Infinity', {}],
    ['?captions=pt-BR', { captions: 'pt-BR' }],
    ['?captions=off', { captions: 'off' }],
    ['?captions=%3Cb%3E', {}],
    ['?together=1', { together: true }],
    ['?together=0', {}],
    ['?skip=1', { skip: true }],
  ])('%s is read', (query, said) => expect(readOptions(query)).toEqual({ ...none, ...said }))
})
