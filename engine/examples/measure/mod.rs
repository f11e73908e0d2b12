//! Measures an option of a question: with it and without, in the processor time of the thread, so that other programs do not
//! count.

use cpu_time::ThreadTime;
use toponym_engine::Engine;

/// Opens the engine of the index that the first argument names, or else of the default index.
pub fn engine() -> Result<Engine, Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "build/index.toponym".to_owned());
    Ok(Engine::open(std::fs::read(path)?)?)
}

/// Prints the titles of the columns of [`row`] behind `title`.
pub fn header(title: &str) {
    println!("{title}{:>10}{:>10}{:>10}{:>10}", "p50 us", "p99 us", "without", "p99");
}

/// Runs a question with an option and without it, `runs` times each, and prints the times behind `title`.
pub fn row(title: &str, runs: usize, with: impl Fn(), without: impl Fn()) {
    let [(half, late), (plain_half, plain_late)] = [measure(runs, with), measure(runs, without)];
    println!("{title}{half:>10.1}{late:>10.1}{plain_half:>10.1}{plain_late:>10.1}");
}

/// Measures the microseconds of a run: the median, and what 99 of 100 runs take at most.
fn measure(runs: usize, run: impl Fn()) -> (f64, f64) {
    let once = |_| {
        let start = ThreadTime::now();
        run();
        start.elapsed().as_secs_f64() * 1e6
    };
    let mut times: Vec<f64> = (0..runs).map(once).collect();
    times.sort_by(f64::total_cmp);
    (times[runs / 2], times[runs * 99 / 100])
}
