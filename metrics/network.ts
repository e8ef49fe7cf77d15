import { counter } from './registry.ts'

export const networkFaults = counter(
  'reelgate_network_faults_total',
  'Requests to sources and receivers that were put off, because nothing responded in the network (`network_away`) or this process was full (`overloaded`). They are made again.',
  ['code'],
  [{ code: 'network_away' }, { code: 'overloaded' }],
)
