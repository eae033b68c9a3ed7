// Explains the colours and marks of days.

/** `hasCounts` is true if the colours show the number of records. */
export const Legend = ({ hasCounts = true }: { hasCounts?: boolean }) => (
  <p class="legend">
    {hasCounts && (
      <span>
        <span class="days" aria-hidden="true">
          <i class="strength-1" />
          <i class="strength-2" />
          <i class="strength-3" />
          <i class="strength-4" />
        </span>
        few to many records
      </span>
    )}
    <span>
      <span class="days" aria-hidden="true">
        <i class="degraded strength-3" />
      </span>
      degraded: a gap or an incident
    </span>
    <span>
      <span class="days" aria-hidden="true">
        <i class="missing" />
      </span>
      nothing stored
    </span>
  </p>
)
