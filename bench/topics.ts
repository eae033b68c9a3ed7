// The topics by name. Each is imported only in the process that measures it: the others' code must not warm it up.

import type { Topic } from './topic.ts'

type TopicEntry = {
  title: string
  /** Bound to one core where the system can do that. */
  isOneCore?: true
  load: () => Promise<{ topic: Topic }>
}

export const TOPICS = {
  summary: {
    title: 'Summaries over HTTP',
    load: () => import('./topics/summary.ts'),
  },
} satisfies Record<string, TopicEntry>

export type TopicName = keyof typeof TOPICS
export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[]

export const isTopicName = (text: string): text is TopicName => Object.hasOwn(TOPICS, text)
export const topicEntry = (name: TopicName): TopicEntry => TOPICS[name]
