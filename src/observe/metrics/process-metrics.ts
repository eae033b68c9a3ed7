// Metrics of the process, with Prometheus's usual names.

import { descriptorLimit, openDescriptors } from '../stats/descriptor-watch.ts'
import type { ServiceSources } from '../stats/service-reading.ts'
import { counter, gauge, type Metric } from './sample.ts'

export const processMetrics = ({ version }: ServiceSources): Metric[] => [
  gauge('backbook_build_info', 'The version of the program and of its runtime.', () => [
    { labels: { version, bun: Bun.version }, value: 1 },
  ]),
  counter('process_cpu_seconds_total', 'User and system time of all threads.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }),
  gauge('process_resident_memory_bytes', 'Resident memory of all threads.', () => process.memoryUsage.rss()),
  gauge('process_start_time_seconds', 'When the process started, Unix time.', () => performance.timeOrigin / 1000),
  gauge('process_open_fds', 'Open files and sockets.', openDescriptors),
  gauge('process_max_fds', 'Limit of open files and sockets.', descriptorLimit),
]
