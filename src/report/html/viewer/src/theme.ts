// Dark or light: what the system says, until the reader says otherwise.

const kKey = 'heddle-theme';
type Choice = 'system' | 'light' | 'dark';
const kNext: Record<Choice, Choice> = { system: 'light', light: 'dark', dark: 'system' };

function stored(): Choice {
  try {
    const value = localStorage.getItem(kKey);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system'; // pages from files may have no storage
  }
}

let choice = stored();

function apply() {
  if (choice === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
}

export function applyTheme() {
  apply();
}

export function nextTheme(): Choice {
  choice = kNext[choice];
  try {
    localStorage.setItem(kKey, choice);
  } catch {
    // It holds for this page then.
  }
  apply();
  return choice;
}

export function themeName(): Choice {
  return choice;
}
