// Lists all tasks of the workers. To add a task, add a file to this folder and a line here.

import type { Task } from '../task.ts'
import { bookTask } from './book.ts'
import { bookChangesTask } from './book-changes.ts'
import { dayFileTask } from './day-file.ts'
import { depthTask } from './depth.ts'
import { depthMapTask } from './depth-map.ts'
import { followTask } from './follow.ts'
import { pageTask } from './page.ts'
import { replayBooksTask } from './replay-books.ts'
import { replayPageTask } from './replay-page.ts'
import { summaryTask } from './summary.ts'
import { tradeSummaryTask } from './trade-summary.ts'
import { tradesTask } from './trades.ts'

export const TASKS: readonly Task<never, object>[] = [
  summaryTask,
  pageTask,
  tradesTask,
  tradeSummaryTask,
  bookTask,
  bookChangesTask,
  depthTask,
  depthMapTask,
  dayFileTask,
  followTask,
  replayPageTask,
  replayBooksTask,
]

/** Returns the task with this name. Throws Error if it is not registered. */
export function taskNamed(name: string): Task<never, object> {
  const task = TASKS.find((each) => each.name === name)
  if (task === undefined) throw new Error(`the task ${name} is not in the registry`)
  return task
}
