import { readFile } from 'node:fs/promises'
import { transform, type Plugin } from 'esbuild'

/** Styles that a script adds itself, as texts. esbuild minifies no text. */
export const stylesAsTexts: Plugin = {
  name: 'styles-as-texts',
  setup: (build) =>
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const style = await readFile(path, 'utf8')
      const { code } = await transform(style, { loader: 'css', minify: true })
      return { contents: code, loader: 'text' }
    }),
}

/**
 * Leaves out Media Chrome's own sheet of keys, a twentieth of the controls: `nohotkeys` switches it off, and the one function
 * that is left has nothing to do.
 */
export const noSheetOfKeys: Plugin = {
  name: 'no-sheet-of-keys',
  setup: (build) =>
    build.onLoad({ filter: /[\\/]media-keyboard-shortcuts-dialog\.js$/ }, () => ({
      contents: "export const getHotkeyToken = () => ''",
    })),
}
