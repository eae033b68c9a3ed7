// A field to choose a UTC day.

export const DayField = ({ date, onChoose }: { date: string; onChoose: (date: string) => void }) => (
  <label class="quiet">
    UTC day{' '}
    <input type="date" value={date} onChange={({ currentTarget: { value } }) => value !== '' && onChoose(value)} />
  </label>
)
