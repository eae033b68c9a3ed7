// Makes a key without limits for user "ann".

import { runProgram } from '../crashes/killed-program.ts'

export async function makeKey(folder: string, env: Record<string, string>): Promise<string> {
  const words = ['keys', 'create', '--data', folder, '--user', 'ann', '--name', 'torture', '--plan', 'pro']
  return (await runProgram(words, env)).split('\n')[0]!
}
