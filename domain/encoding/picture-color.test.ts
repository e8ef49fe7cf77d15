import { expect, it } from 'vitest'
import { pictureColor } from './picture-color.ts'

const stated = {
  width: 1920,
  height: 1080,
  pixelFormat: 'yuv420p',
  matrix: '',
  primaries: '',
  transfer: '',
}
const matrixOf = (source: Partial<typeof stated>) => pictureColor({ ...stated, ...source })

it('gives a source without tags, or of RGB, the matrix of its size, also if it is upright', () => {
  expect(matrixOf({})).toMatchObject({ sourceMatrix: 'bt709', matrix: 'bt709' })
  expect(matrixOf({ width: 640, height: 480 })).toMatchObject({ matrix: 'smpte170m' })
  expect(matrixOf({ width: 576, height: 1024, matrix: 'gbr' })).toMatchObject({ matrix: 'bt470bg' })
  expect(matrixOf({ width: 1280, height: 534 })).toMatchObject({ matrix: 'bt709' })
})

it('keeps the matrix of a source that states a common one', () => {
  expect(matrixOf({ matrix: 'smpte170m' })).toMatchObject({
    sourceMatrix: 'smpte170m',
    matrix: 'smpte170m',
  })
})

it('converts wide gamuts and old matrices to BT.709', () => {
  expect(matrixOf({ matrix: 'bt2020nc', primaries: 'bt2020' })).toMatchObject({
    sourcePrimaries: 'bt2020',
    matrix: 'bt709',
    primaries: 'bt709',
  })
  expect(matrixOf({ matrix: 'smpte240m' })).toMatchObject({
    sourceMatrix: 'smpte240m',
    matrix: 'bt709',
  })
})
