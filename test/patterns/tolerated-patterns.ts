const CONFIGURED = 'reads what the operator has configured'
const OWN_MANIFEST = 'reads the manifest that our packager has written'
const BUILD = 'reads our own source while it is built'
const SHORT_NAME = 'reads the name of a file or a link of at most 2,048 characters'

/** Regular expressions that take more than linear time, and why this does no harm. */
export const TOLERATED: Readonly<Record<string, string>> = {
  [String.raw`/\/+$/`]: CONFIGURED,
  [String.raw`/\/*$/`]: CONFIGURED,
  [String.raw`/^(\[?[0-9a-f:.]*:[0-9a-f:.]*(%\w+)?\]?|[\w.-]+)$/i`]: CONFIGURED,
  [String.raw`/[\\/](?:dashboard[\\/]web|test[\\/]browser)[\\/].*\.(?:tsx?|mjs)$/`]: BUILD,
  [String.raw`/import (type )?\{([^}]*)\} from (['"])([^'"]+)\3;?/g`]: BUILD,
  [String.raw`/\n\/\/# sourceMappingURL=.*\s*$/`]: BUILD,
  [String.raw`/^FOR VALUES FROM \((.*)\) TO \((.*)\)$/`]: 'reads a bound that PostgreSQL writes',
  [String.raw`/^(HPE_\w+|UND_ERR_\w*PARSE\w*)$/`]: 'reads the code of an error of Node',
  [String.raw`/^-+|-+$/g`]: 'reads a title of at most 255 characters',
  [String.raw`/=+$/`]: 'reads base64 that this process has made',
  [String.raw`/(?<!\w)[\s_-]*(\(\d{1,3}\)|[-_ ] ?copy( \d+)?|kopie|copia)$/i`]: SHORT_NAME,
  [String.raw`/^\S*[^\s_]_+[^\s_]\S*$/`]: SHORT_NAME,
  [String.raw`/(?<=\S)[\s([]+(\d{3,4}p|[248]k|x26[45]|h\.?26[45]|hevc|av1|\d{2}fps)[)\]]?$/i`]:
    SHORT_NAME,
  [String.raw`/^(<WRMHEADER\b[^>]*\sversion="4\.[23]\.0\.0"[^>]*>.*<KIDS>)((?:\s*<KID\s[^<>]*(?:\/>|>\s*<\/KID>))+)(\s*<\/KIDS>.*)$/s`]:
    'reads a header whose length has 16 bits: 53 ms at most',
  [String.raw`/Invalid data|could not find codec|Decoder .* not found|no decoder/i`]:
    'reads the last lines of ffmpeg, which are short',
  [String.raw`/<S\b[^>]*>/g`]: OWN_MANIFEST,
  [String.raw`/<S\b[^>]*>/`]: OWN_MANIFEST,
  [String.raw`/AudioChannelConfiguration[^>]*value="(\d+)"/`]: OWN_MANIFEST,
  [String.raw`/^0, *(-?\d+), *(-?\d+), *\d+, *\d+, *\w+(?:, S=\d+(.*))?$/`]:
    'reads a line that ffmpeg writes of a packet',
}
