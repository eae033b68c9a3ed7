// The plans a user can be on. What they allow comes with the limits.

export const PLANS = ['free', 'starter', 'pro'] as const
export const DEFAULT_PLAN = 'free'
