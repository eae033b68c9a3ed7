// Makes a command of an index question. The command's flags are the parameters of the endpoint.

import type { TObject } from '@sinclair/typebox'
import type { Command } from 'commander'
import { assertQuery } from '../../http/parameters/assert-query.ts'
import type { Parameter } from '../../http/parameters/parameter.ts'
import { MOUNTS, querySchema } from '../../http/parameters/venue-parameters.ts'
import { declaredBy, storeOfQuery } from '../../questions/query-source.ts'
import type { IndexQuestion } from '../../questions/question.ts'
import { inCommandWords } from '../questions/ask-market.ts'
import { addMarket, addParameters, questionOf, venueOption, type WindowOptions } from '../questions/market-question.ts'
import type { Source } from './index-command.ts'
import type { Answer } from './index-output.ts'

/** The parameter whose value is given as positional arguments. */
type Words = { parameter: string; description: string }

export const ofQuestion = (question: IndexQuestion<string>, words?: Words): Source<WindowOptions> => ({
  addFlags(command) {
    if (words !== undefined) command.argument('<words...>', words.description)
    addVenue(command, question)
    const names = namesOf(question).filter((name) => name !== words?.parameter)
    return addParameters(command, names, ownOf(question))
  },
  read: (store, options, given) =>
    inCommandWords(async () => {
      const text = words === undefined ? {} : { [words.parameter]: given.join(' ') }
      const { parameters, query } = queryOf(question, options)
      const fullQuery = { ...query, ...text }
      assertQuery(querySchema(parameters, declaredBy(question, parameters)) as unknown as TObject, fullQuery)
      const { make } = await question.read(storeOfQuery(store, fullQuery).catalogue, {
        parameters,
        query: fullQuery,
        nowMs: Date.now(),
      })
      return (await make()) as Answer
    }),
})

function addVenue(command: Command, question: IndexQuestion<string>): void {
  if (namesOf(question).includes('market')) addMarket(command)
  else if (question.isOfAllVenues === undefined) command.addOption(venueOption().makeOptionMandatory())
}

/** The parameters of the first venue, used where the venue makes no difference. */
const { parameters: ANY_VENUE } = MOUNTS[0]!

const ownOf = (question: IndexQuestion<string>) =>
  (declaredBy(question, ANY_VENUE).own ?? {}) as Record<string, Parameter>

function namesOf(question: IndexQuestion<string>): string[] {
  const { required, optional } = declaredBy(question, ANY_VENUE)
  return [...required, ...optional]
}

function queryOf(question: IndexQuestion<string>, options: WindowOptions) {
  if (question.isOfAllVenues === undefined) return questionOf(options, namesOf(question))
  // The venue is optional here. If the user gave it, it becomes a parameter of the question.
  const { venue, ...others } = options
  const { parameters, query } = questionOf({ ...others, venue: ANY_VENUE.venue }, namesOf(question))
  return { parameters, query: { ...query, ...(venue === undefined ? {} : { venue }) } }
}
