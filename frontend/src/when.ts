// How long ago something was.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "5 minutes ago", or the date when it was a week ago or longer. */
export function whenText(at: number, now: number, locale: string): string {
  const past = Math.max(now - at, minute);
  if (past >= 7 * day) return new Date(at).toLocaleDateString(locale, { dateStyle: 'medium' });
  const [unit, length] = past < hour ? (['minute', minute] as const) : past < day ? (['hour', hour] as const) : (['day', day] as const);
  return new Intl.RelativeTimeFormat(locale).format(-Math.floor(past / length), unit);
}
