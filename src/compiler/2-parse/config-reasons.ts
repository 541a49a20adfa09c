// Explains why the value of a setting is invalid, in a sentence before the example.

/** @param written what follows the key in the file, including its colon */
export function settingReason(key: string, written: string): string | undefined {
  const value = written.trim();
  if (!value.startsWith(':')) return `Write a colon after "${key}".`;
  return reasonOf(key, value.slice(1).trim());
}

function reasonOf(key: string, value: string): string | undefined {
  switch (key) {
    case 'name':
    case 'description':
    case 'schedule':
    case 'timezone':
      return value !== '' && !value.includes('"') && value.length <= 80
        ? `Put it in double quotes:\n    ${key}: "${value.replace(/^['‘’“”„]|['‘’“”]$/g, '')}"`
        : undefined;
    case 'timeout':
      return 'It needs a number and a unit: seconds, minutes or hours.';
    case 'version':
      return 'It needs a whole number, without quotes.';
    case 'holidays': {
      const days = value.match(/\d{4}-\d{2}-\d{2}/g) ?? [];
      return days.length > 0 && days.length <= 10
        ? `Put each date in quotes, and the list in brackets:\n    holidays: [${days.map((day) => `"${day}"`).join(', ')}]`
        : undefined;
    }
    default:
      return undefined;
  }
}
