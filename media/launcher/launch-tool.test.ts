import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { signal } from '../../test/fixtures/media-files.ts'
import { until, waitFor } from '../../test/infrastructure/wait-for.ts'
import { runTool } from '../run-tool.ts'

const pidsOf = async (...options: string[]): Promise<number[]> => {
  const { stdout } = await execa('pgrep', options, { reject: false })
  return stdout.split('\n').filter(Boolean).map(Number)
}

const launchersOf = (pid: number) => pidsOf('-P', String(pid), '-f', 'launcher-process')

const shell = (script: string) => runTool('sh', ['-c', script], { signal })

describe('the launcher of a process', () => {
  it('starts all of its tools; if it is killed, they end with it, their runs fail for a reason of the machine, and the next one starts another', async () => {
    await shell('true')
    const [launcher = NaN, ...others] = await launchersOf(process.pid)
    expect(others).toEqual([])
    const lost = expect(shell('exec sleep 4711')).rejects.toMatchObject({
      name: 'MachineError',
      message: 'The launcher of tools has ended',
    })
    const [tool = NaN] = await waitFor('the tool', async () => {
      const pids = await pidsOf('-x', '-P', String(launcher), 'sleep')
      return pids.length > 0 ? pids : null
    })
    process.kill(launcher, 'SIGKILL')
    await lost
    await until(async () => !(await pidsOf('-x', 'sleep')).includes(tool))
    const runs = await Promise.all([shell('echo one'), shell('echo two')])
    expect(runs.map(({ stdout }) => stdout)).toEqual(['one\n', 'two\n'])
    expect(await launchersOf(process.pid)).toHaveLength(1)
  })

  it('does not end by the signals with which a terminal or a service manager stops its process', async () => {
    await shell('true')
    const [launcher = NaN] = await launchersOf(process.pid)
    const run = shell('sleep 1; echo done')
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(launcher, name)
    expect((await run).stdout).toBe('done\n')
    expect(await launchersOf(process.pid)).toEqual([launcher])
  })

  it('hands over all that a tool writes, whole characters and in order, however slowly it is taken', async () => {
    const { stdout } = await shell('for i in $(seq 1 60000); do echo "größer $i"; done')
    const expected = Array.from({ length: 60_000 }, (_, at) => `größer ${at + 1}\n`)
    expect(stdout).toBe(expected.join(''))
  })

  it('does not keep a process from ending, and ends with it', async () => {
    const script = `const { runTool } = await import('./media/run-tool.ts');
      console.log((await runTool('sh', ['-c', 'echo $PPID'], { signal: AbortSignal.timeout(60_000) })).stdout)`
    const { stdout } = await execa(pinnedNode, ['--input-type=module', '-e', script], {
      cwd: projectDir,
      timeout: 60_000,
    })
    const launcher = Number(stdout)
    expect(launcher).toBeGreaterThan(0)
    await until(async () => !(await pidsOf('-f', 'launcher-process')).includes(launcher))
  })
})
