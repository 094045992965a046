//! Evolution of heuristics: formulas over building blocks, bred on exact
//! distances or on searches.

mod boards;
mod champion;
mod data;
mod experiment;
mod fitness;
mod folder;
mod genome;
mod grammar;
mod linear;
mod population;
mod report;
mod runs;
mod statistics;

pub use boards::{BLIND, HardBoard, HardBoardSearch, HardBoards, blind_nodes};
pub use data::{DataError, Loaded, Sources};
pub use experiment::{Boards, Data, EXAMPLE, Experiment, ExperimentError, SearchPlan, Stop};
pub use fitness::{Aim, Arena, FalseDistance, FitnessError, Judge, Outcome, Sample, Weighing};
pub use folder::{Folder, FolderError, RunFolder, Saved};
pub use genome::{Breeder, Operator, Shape, Values};
pub use grammar::{Function, Grammar};
pub use linear::least_squares;
pub use population::{Breeding, Coevolution, Evolution, Individual, Record, Selection, State};
pub use report::{
    Compared, Evolved, ExperimentReport, Kind, Method, Report, ReportError, RunReport, Scores, Trial,
};
pub use runs::{Ended, Judges, RunError, Runner, judge};
pub use statistics::{Difference, Quartiles};
