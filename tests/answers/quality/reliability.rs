//! Draws how often answers of each confidence are right, as an SVG.

use std::error::Error;

use plotters::prelude::*;

/// Number of bins of confidence.
const BINS: usize = 10;

/// Width and height of the picture in pixels.
const SIZE: u32 = 520;

/// Area of a dot in square pixels per answer in its bin, and the least radius that can be seen.
const AREA_PER_ANSWER: f64 = 1.0;
const LEAST_RADIUS: f64 = 3.0;

const INK: RGBColor = RGBColor(40, 40, 40);
const DOTS: RGBColor = RGBColor(27, 108, 168);

/// Draws a dot for each bin: its mean confidence and the share of its answers that are right. Its area is the number of
/// answers. `answers` are confidences, each with whether the answer is right.
pub fn plot(answers: &[(f64, bool)]) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    draw(SVGBackend::with_string(&mut svg, (SIZE, SIZE)).into_drawing_area(), answers)?;
    Ok(svg)
}

fn draw(root: DrawingArea<SVGBackend, plotters::coord::Shift>, answers: &[(f64, bool)]) -> Result<(), Box<dyn Error>> {
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .caption(format!("Share of {} answers that are right, by confidence", answers.len()), ("sans-serif", 16, &INK))
        .x_label_area_size(44)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    chart
        .configure_mesh()
        .x_desc("confidence")
        .y_desc("share that is right")
        .x_labels(6)
        .y_labels(6)
        .label_style(("sans-serif", 13, &INK))
        .light_line_style(TRANSPARENT)
        .draw()?;
    chart.draw_series([PathElement::new([(0.0, 0.0), (1.0, 1.0)], INK.mix(0.4))])?;
    for bin in 0..BINS {
        let of_bin: Vec<&(f64, bool)> = answers.iter().filter(|(confidence, _)| bin_of(*confidence) == bin).collect();
        if of_bin.is_empty() {
            continue;
        }
        let count = of_bin.len() as f64;
        let mean = of_bin.iter().map(|(confidence, _)| confidence).sum::<f64>() / count;
        let right = of_bin.iter().filter(|(_, is_right)| *is_right).count() as f64 / count;
        let radius = (count * AREA_PER_ANSWER / std::f64::consts::PI).sqrt().max(LEAST_RADIUS);
        chart.draw_series([Circle::new((mean, right), radius.round() as u32, DOTS.mix(0.7).filled())])?;
    }
    Ok(root.present()?)
}

/// Returns the number of the bin of a confidence.
fn bin_of(confidence: f64) -> usize {
    ((confidence * BINS as f64) as usize).min(BINS - 1)
}
