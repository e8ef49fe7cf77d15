import { isOfSystem } from '../../../../domain/uploads/video-names.ts'
import { folderName } from './folder-name.ts'
import type { ChosenFile } from './upload-item.ts'

/** As many as an account can have folders for; a whole disk that is dropped by mistake ends here. */
const FILES_MAX = 1_000

/** True if files are dragged, and not what pages themselves let people drag. */
export const hasFiles = ({ types }: Pick<DataTransfer, 'types'>): boolean => types.includes('Files')

/** The files of a drop. Those of a folder belong into a folder of its name, with that of each level joined. */
export async function droppedFiles(
  data: DataTransfer,
  folder: number | null,
): Promise<ChosenFile<File>[]> {
  // Before the first wait: then the browser takes them away.
  const dropped = [...data.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
  const found: ChosenFile<File>[] = []
  for (const one of dropped) {
    if (one instanceof File) found.push({ file: one, folder })
    else if (one)
      await collect(
        one,
        [],
        (file, path) => found.push({ file, folder: folderName(path) ?? folder }),
        found,
      )
  }
  return found
}

/** The files of an input. With `webkitdirectory`, each has a path below the folder that was chosen. */
export const inputFiles = (files: Iterable<File>, folder: number | null): ChosenFile<File>[] =>
  [...files]
    .filter(({ name, webkitRelativePath }) => webkitRelativePath === '' || !isOfSystem(name))
    .slice(0, FILES_MAX)
    .map((file) => {
      const path = file.webkitRelativePath.split('/').slice(0, -1)
      return { file, folder: folderName(path) ?? folder }
    })

async function collect(
  entry: FileSystemEntry,
  path: readonly string[],
  take: (file: File, path: readonly string[]) => void,
  found: readonly unknown[],
): Promise<void> {
  if (found.length >= FILES_MAX) return
  if (isFile(entry)) {
    if (path.length > 0 && isOfSystem(entry.name)) return
    take(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), path)
  }
  if (!isFolder(entry)) return
  for (const child of await childrenOf(entry.createReader()))
    await collect(child, [...path, entry.name], take, found)
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Readers return a hundred entries at a time, and none at the end. */
async function childrenOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const children: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return children.toSorted((a, b) => a.name.localeCompare(b.name))
    children.push(...some)
  }
}
