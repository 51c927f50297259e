//! Running one piece of work at a time, and saying so: its name, how far it is, how long it took.

use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::process::{Child, Command};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How often a log that is not a terminal hears of work that is still going on.
const LOG_PERIOD: Duration = Duration::from_secs(15);

/// Runs one step of a longer job and prints its name and time.
pub(crate) fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    let mut progress = Progress::new(name);
    progress.show("");
    let outcome = work();
    progress.clear();
    line(if outcome.is_ok() { "done" } else { "FAIL" }, Some(start.elapsed()), name);
    outcome.with_context(|| format!("{name} failed"))
}

/// Says that a step had nothing to do.
pub(crate) fn unchanged(name: &str) {
    line("same", None, name);
}

/// Prints the row of a finished piece of work.
pub(crate) fn line(word: &str, time: Option<Duration>, name: &str) {
    let time = time.map_or(String::new(), |time| format!("{:.1} s", time.as_secs_f64()));
    println!("  {word:<4} {time:>8}  {name}");
}

/// Runs `command` to its end and returns all that it printed; an error carries that text too.
/// Meanwhile a progress line under `name` shows the last line it printed.
pub(crate) fn run(name: &str, mut command: Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let (reader, writer) = std::io::pipe()?;
    command.stdin(std::process::Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
    // The command holds the writing ends: without this the output would never end.
    drop(command);
    let output = follow(name, reader)?;
    finish(&mut child, &program, &output)?;
    Ok(output)
}

/// Runs `command` on this terminal, its input and output included.
pub(crate) fn hand_over(mut command: Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start {program}"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(code) => std::process::exit(code),
        None => bail!("{program} was stopped by a signal"),
    }
}

fn finish(child: &mut Child, program: &str, output: &str) -> Result<()> {
    let status = child.wait()?;
    if !status.success() {
        bail!("{}\n{program} ended with {status}", output.trim_end());
    }
    Ok(())
}

fn follow(name: &str, reader: std::io::PipeReader) -> Result<String> {
    let (sender, lines) = channel();
    let thread = std::thread::spawn(move || -> std::io::Result<()> {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes)? > 0 {
            if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                break;
            }
            bytes.clear();
        }
        Ok(())
    });
    let mut progress = Progress::new(name);
    let mut output = String::new();
    loop {
        match lines.recv_timeout(Duration::from_secs(1)) {
            Ok(line) => {
                progress.show(&line);
                output += &line;
            }
            Err(RecvTimeoutError::Timeout) => progress.refresh(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    progress.clear();
    match thread.join() {
        Ok(read) => read.context("cannot read what it prints")?,
        Err(_) => bail!("the reader of its output stopped"),
    }
    Ok(output)
}

/// The line that says what is going on: rewritten on a terminal, repeated now and then in a log.
struct Progress<'a> {
    name: &'a str,
    start: Instant,
    told: Duration,
    last: String,
    terminal: bool,
}

impl<'a> Progress<'a> {
    fn new(name: &'a str) -> Self {
        let terminal = std::io::stdout().is_terminal();
        Self { name, start: Instant::now(), told: Duration::ZERO, last: String::new(), terminal }
    }

    fn show(&mut self, line: &str) {
        self.last = line.trim().chars().filter(|character| !character.is_control()).take(60).collect();
        self.refresh();
    }

    fn refresh(&mut self) {
        let elapsed = self.start.elapsed();
        let text = format!("  …    {:>6} s  {}  {}", elapsed.as_secs(), self.name, self.last);
        if self.terminal {
            print!("\r\x1b[2K{text}");
            // A terminal that is gone is no reason to stop the work.
            let _ = std::io::stdout().flush();
        } else if elapsed - self.told >= LOG_PERIOD {
            self.told = elapsed;
            println!("{text}");
        }
    }

    fn clear(&self) {
        if self.terminal {
            print!("\r\x1b[2K");
        }
    }
}
